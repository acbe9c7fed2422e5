import './ambient.ts';
import { install } from './install.ts';

// The script's only effect is this name, which the host calls once per context and deletes before user code runs.
Reflect.defineProperty(__root, '__layer', { value: install, configurable: true, writable: true });
