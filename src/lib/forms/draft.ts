/**
 * The key of a draft in session storage is this prefix followed by the form's name and variant. If session storage is
 * not empty, the page loads enhance.ts immediately, so the draft is restored before the visitor reaches the form.
 */
export const draftPrefix = 'draft:';

export interface Draft {
  /** Text by field name, without the file and the hidden field that detects bots. */
  values: Record<string, string>;
  /** Time when the visitor opened the page on which the draft began, in milliseconds since 1970. */
  since: number;
  /** The last submission that received no success response. If the input is unchanged, a retry uses the same key. */
  sent?: { key: string; input: string } | undefined;
}

interface DraftStore {
  read(): Draft | undefined;
  write(draft: Draft): void;
  clear(): void;
}

/**
 * Returns the store for a form's draft, which lasts until the tab is closed. If the browser blocks session storage,
 * nothing is stored, and no error is thrown.
 */
export function draftStore(name: string, variant: string): DraftStore {
  const key = `${draftPrefix}${name}:${variant}`;
  const attempt = <T>(run: () => T): T | undefined => {
    try {
      return run();
    } catch {
      return undefined;
    }
  };
  return {
    read: () => attempt(() => parse(sessionStorage.getItem(key) ?? '')),
    write: (draft) => void attempt(() => sessionStorage.setItem(key, JSON.stringify(draft))),
    clear: () => void attempt(() => sessionStorage.removeItem(key)),
  };
}

/**
 * Parses a stored draft.
 * @throws if the text is not a valid draft. Another version of the site may have stored it.
 */
function parse(text: string): Draft {
  const { values, since, sent } = JSON.parse(text) as { [K in keyof Draft]?: unknown };
  if (typeof since !== 'number') throw new TypeError('Not a draft.');
  const draft: Draft = { values: texts(values), since };
  if (sent !== undefined) {
    const { key, input } = texts(sent);
    if (key && input) draft.sent = { key, input };
  }
  return draft;
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(value as object);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    throw new TypeError('Not texts.');
  return Object.fromEntries(entries);
}
