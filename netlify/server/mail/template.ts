import { escapeAttribute, escapeHtml } from '../../../src/domain/text/text.ts';
import { site } from '../../../src/site.config.ts';

interface Link {
  readonly label: string;
  /** An absolute URL, because an email has no base URL. */
  readonly url: string;
}

/** A part of an email's body. All strings are plain text, which {@link emailHtml} escapes. */
type Block =
  /** A paragraph. */
  | string
  /** Labels with short values. */
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  /** Text of several lines that a person wrote. */
  | { readonly label: string; readonly quote: string }
  | Link;

/** The content of an email, without sender and recipients. */
export interface Email {
  readonly subject: string;
  /** The preview text that email programs show next to the subject in the list of emails. */
  readonly preheader: string;
  /** The content between the greeting and the footer. The template adds the firm's name and the greeting. */
  readonly blocks: readonly Block[];
  readonly footer: readonly (string | Link)[];
}

const greeting = 'Hello,';
/** The number of characters that email programs show of a preview text, approximately. */
const preheaderLength = 140;

/** Returns the plain text part, with all of the content of the HTML part. */
export function emailText({ blocks, footer }: Email): string {
  const contact = footer.map((line) => (typeof line === 'string' ? line : line.label)).join('\n');
  return `${[greeting, ...blocks.map((block) => written(block).text), `-- \n${contact}`].join('\n\n')}\n`;
}

/*
 * The colors of src/styles/tokens.css, which code outside the build cannot import. A test compares both files. Some
 * email programs ignore the dark color scheme and invert the light colors instead. The result is readable, because the
 * light scheme has dark text on light surfaces.
 */
const dark =
  'body,.page{background:#0f1713!important}.sheet,.quote{color:#f2f3e9!important}.sheet{background:#18221c!important}.name span,.footer,.quote{border-color:#75867a!important}.soft{color:#bac5b8!important}a{color:#8ed0a6!important}.action{background:#8ed0a6!important;color:#0b1610!important}';
const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${dark}}`;

/** These styles are repeated in each element, because some email programs remove the style sheet from the head. */
const inline = {
  body: 'margin:0;padding:0;background:#f5f1e6',
  preheader: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  page: 'padding:24px 12px;background:#f5f1e6',
  sheet:
    'max-width:552px;margin:0 auto;padding:24px;background:#fcfaf4;color:#13201a;font:16px/1.6 Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word',
  name: 'margin:0 0 28px;font:28px/1.2 Georgia,serif',
  nameRule: 'border-bottom:4px double #6f7d71;padding-bottom:4px',
  paragraph: 'margin:0 0 20px',
  facts: 'margin:0 0 20px',
  label: 'margin:0;color:#38463e;font-size:14px',
  value: 'margin:0 0 12px',
  quote: 'margin:4px 0 24px;padding:0 0 0 16px;border-left:3px solid #6f7d71;color:#13201a',
  action:
    'display:inline-block;padding:10px 20px;background:#0b4f36;color:#f2f3e9;font-weight:bold;text-decoration:none',
  footer: 'margin:28px 0 0;padding:16px 0 0;border-top:1px solid #6f7d71;color:#38463e;font-size:14px',
  link: 'color:#0b4f36',
} as const;

/**
 * Returns the HTML part. It loads nothing, because an image from the site would tell the site when the email is read.
 */
export function emailHtml({ subject, preheader, blocks, footer }: Email): string {
  const contact = footer.map((line) =>
    typeof line === 'string'
      ? escapeHtml(line)
      : `<a href="${escapeAttribute(line.url)}" style="${inline.link}">${escapeHtml(line.label)}</a>`,
  );
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${style}</style>
</head>
<body style="${inline.body}">
<div style="${inline.preheader}">${escapeHtml(shortened(preheader))}</div>
<div class="page" role="article" aria-roledescription="email" aria-label="${escapeAttribute(subject)}" lang="en-US" style="${inline.page}">
<div class="sheet" style="${inline.sheet}">
<p class="name" style="${inline.name}"><span style="${inline.nameRule}">${escapeHtml(site.name)}</span></p>
${[greeting, ...blocks].map((block) => written(block).html).join('\n')}
<p class="footer soft" style="${inline.footer}">${contact.join('<br>\n')}</p>
</div>
</div>
</body>
</html>
`;
}

/** Returns a block as plain text and as HTML. */
function written(block: Block): { readonly text: string; readonly html: string } {
  if (typeof block === 'string') return { text: block, html: `<p style="${inline.paragraph}">${lines(block)}</p>` };
  if ('facts' in block) {
    const width = Math.max(...block.facts.map(([label]) => label.length)) + 2;
    const facts = block.facts.map(
      ([label, value]) =>
        `<dt class="soft" style="${inline.label}">${escapeHtml(label)}</dt>\n<dd style="${inline.value}">${lines(value)}</dd>`,
    );
    return {
      text: block.facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join('\n'),
      html: `<dl style="${inline.facts}">\n${facts.join('\n')}\n</dl>`,
    };
  }
  const label = escapeHtml(block.label);
  if ('quote' in block) {
    return {
      text: `${block.label}:\n\n${block.quote}`,
      html: `<p class="soft" style="${inline.label}">${label}</p>
<blockquote class="quote" style="${inline.quote}">${lines(block.quote)}</blockquote>`,
    };
  }
  return {
    text: `${block.label}:\n${block.url}`,
    html: `<p style="${inline.paragraph}"><a class="action" href="${escapeAttribute(block.url)}" style="${inline.action}">${label}</a></p>`,
  };
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>\n');
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= preheaderLength ? line : `${line.slice(0, preheaderLength - 1).trimEnd()}…`;
}
