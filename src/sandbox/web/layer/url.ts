import { URL, URLSearchParams } from 'whatwg-url';

export { URL, URLSearchParams };
