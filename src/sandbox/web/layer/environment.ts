import { create, freeze, keys } from './primordials.ts';

let environment: Record<string, string> = create(null);

/** `process.env`: the function's declared configuration, frozen. A new object for each invocation. */
export function setEnvironment(values: Record<string, string> | undefined): void {
  environment = create(null) as Record<string, string>;
  if (values) {
    const names = keys(values);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      environment[name] = `${values[name]}`;
    }
  }
  freeze(environment);
}

export function currentEnvironment(): Record<string, string> {
  return environment;
}
