/** Returns the paths of the browsers on this machine. */
export function browserVariables(): Promise<{
  CHROMIUM_PATH?: string;
  FIREFOX_PATH?: string;
  WEBKIT_BROWSER_PATH?: string;
  WEBKIT_DRIVER_PATH?: string;
}>;

/** Returns `CHROMIUM_PATH`, or the path of the system's browser. */
export function systemChromium(): string | undefined;
