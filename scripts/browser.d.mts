/** Returns the environment variables that name the browsers on this machine. */
export function browserVariables(): {
  CHROMIUM_PATH?: string;
  FIREFOX_PATH?: string;
  WEBKIT_BROWSER_PATH?: string;
  WEBKIT_DRIVER_PATH?: string;
};

/** Returns the path of `CHROMIUM_PATH` or of the system's Chromium. */
export function systemChromium(): string | undefined;
