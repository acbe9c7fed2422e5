/** The rights that a token may have. `admin` includes the others; an app's functions have all but `admin`. */
export const scopes = ['read', 'write', 'send', 'deploy', 'admin'] as const;

export type Scope = (typeof scopes)[number];
