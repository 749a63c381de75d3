/**
 * Every key of a kept draft begins with this, followed by the form's name and variant. A page whose session storage
 * holds such a key fetches the enhancer at once, so that the text is back before the visitor looks for it.
 */
export const draftPrefix = 'draft:';

export interface Draft {
  /** Text by field name. Never a file, never the honeypot. */
  values: Record<string, string>;
  /** When the page that the draft began on was opened; milliseconds since 1970. */
  since: number;
  /** The last submission that got no answer: sent again unchanged, it is the same submission. */
  sent?: { key: string; input: string } | undefined;
}

interface DraftStore {
  read(): Draft | undefined;
  write(draft: Draft): void;
  clear(): void;
}

/**
 * Keeps what a visitor typed for as long as the tab lives. Where a browser blocks session storage nothing is kept, and
 * nothing fails.
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

/** Throws where the text is not a draft: another version of the site may have left it. */
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
