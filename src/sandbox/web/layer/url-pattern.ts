export { URLPattern } from 'urlpattern-polyfill/urlpattern';
