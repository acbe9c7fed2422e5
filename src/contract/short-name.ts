import { shortened } from '../std/index.ts';

const mostLength = 100;

/** Shortens a name given by a user for use in messages: the full name may be a megabyte. */
export const shortName = (name: string): string => shortened(name, mostLength);
