import { shortened } from '../std/index.ts';

const mostLength = 100;

/** A name that somebody made up, as it is repeated in a message: the whole of it may be a megabyte. */
export const shortName = (name: string): string => shortened(name, mostLength);
