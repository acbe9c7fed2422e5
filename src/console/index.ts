/** The console: a web page that reads operations and events. Here is what the server needs of it; `browser/` runs in the browser. */
export { consoleFile, consoleSprite, consoleVersion } from './files.ts';
export { parsePlace, pathOf, placeOfWord } from './model/places.ts';
