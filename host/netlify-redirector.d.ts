declare module 'netlify-redirector' {
  /** What Netlify's matcher asks of a request. */
  export interface MatchRequest {
    scheme: string;
    host: string;
    /** Decoded. */
    path: string;
    /** Without the question mark. */
    query: string;
    headers: Record<string, string>;
    cookieValues: Record<string, string>;
    getHeader(name: string): string;
    getCookie(name: string): string;
  }

  export interface Match {
    /** The target, with placeholders filled in. */
    to: string;
    status: number;
    force: boolean;
  }

  export interface Matcher {
    match(request: MatchRequest): Match | null;
  }

  const redirector: {
    /** @param rules JSON of the rules, with `origin` for `from` and `params` for `query`. */
    parseJSON(rules: string, options: Record<string, string>): Promise<Matcher>;
  };
  export default redirector;
}
