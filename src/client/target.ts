/** A workspace behind HTTP, and its token. The token is only ever sent to the origin of `baseUrl`. */
export interface RemoteWorkspace {
  /** Origin and path before `/api/<slug>`, without a slash at the end. */
  readonly baseUrl: string;
  readonly slug: string;
  readonly token?: string | undefined;
  /** Routes of assumed operations that differ on this platform: `{"templates.list": "GET /x/{slug}/y"}`, below `baseUrl`. */
  readonly routes?: Readonly<Record<string, string>> | undefined;
}
