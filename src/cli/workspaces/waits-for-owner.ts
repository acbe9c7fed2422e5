/** Printed when a command waits for another one. */
export const waitsForOwner = 'waiting for another command that uses this app’s workspace …';
