/** Paths of the browsers on this machine. */
export function browserVariables(): Promise<{
  CHROMIUM_PATH?: string;
  FIREFOX_PATH?: string;
  WEBKIT_BROWSER_PATH?: string;
  WEBKIT_DRIVER_PATH?: string;
}>;
