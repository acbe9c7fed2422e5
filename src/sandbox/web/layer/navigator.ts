import { expose } from './expose.ts';

const key = Symbol('making the navigator');

export class Navigator {
  constructor(token?: unknown) {
    if (token !== key) throw new TypeError('Illegal constructor');
  }
  get userAgent(): string {
    return 'fn-functions';
  }
  get language(): string {
    return 'en-US';
  }
  get languages(): readonly string[] {
    return languages;
  }
  get hardwareConcurrency(): number {
    return 1;
  }
  get onLine(): boolean {
    return true;
  }
}

const languages = Object.freeze(['en-US']);
expose(Navigator, 'Navigator');
export const navigator = new Navigator(key);
