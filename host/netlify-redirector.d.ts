declare module 'netlify-redirector' {
  /** The parts of a request that Netlify's matcher needs. */
  export interface MatchRequest {
    scheme: string;
    host: string;
    /** The decoded path. */
    path: string;
    /** The query without the question mark. */
    query: string;
    headers: Record<string, string>;
    cookieValues: Record<string, string>;
    getHeader(name: string): string;
    getCookie(name: string): string;
  }

  export interface Match {
    /** The redirect's target, with placeholders replaced. */
    to: string;
    status: number;
    force: boolean;
  }

  export interface Matcher {
    match(request: MatchRequest): Match | null;
  }

  const redirector: {
    /** @param rules the redirect rules as JSON, with `origin` instead of `from` and `params` instead of `query`. */
    parseJSON(rules: string, options: Record<string, string>): Promise<Matcher>;
  };
  export default redirector;
}
