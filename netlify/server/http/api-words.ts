import { readdirSync, readFileSync } from 'node:fs';
import { applicationFields, leavingDays } from '../../../src/domain/submissions/application.ts';
import { inquiryFields } from '../../../src/domain/submissions/inquiry.ts';

const labels = Object.entries({ ...applicationFields, ...inquiryFields }).map(
  ([name, { label }]) => [name, `${label}.`] as const,
);

/** Returns the comments of properties in the schemas of `src/domain`, by name, except names with different comments. */
function commentsOfSchemas(): Record<string, string> {
  const folder = new URL('../../../src/domain/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const source = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const found = source.matchAll(/^ +\/\*\*((?:(?!\*\/)[^])*)\*\/\n +(\w+): (?:z\.|\w+[,(])/gm);
  const byName = Map.groupBy(found, ([, , name = '']) => name);
  const words = [...byName].flatMap(([name, comments]) => {
    const [text, ...others] = new Set(comments.map(([, comment = '']) => comment.replaceAll(/\n +\* /g, ' ').trim()));
    return text && others.length === 0 ? [[name, text] as const] : [];
  });
  return Object.fromEntries(words);
}

/** Descriptions of names that have no comment in a schema, or mean several things. */
export const sharedWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(labels),
  // Records and lists
  id: 'The id of the record.',
  data: 'The requested record or records.',
  nextCursor: 'The `cursor` of the next page; null on the last page.',
  limit: 'The maximum number of records on a page.',
  sort: 'The order of the list. A minus sign means descending.',
  status: 'The state of the record, the delivery or the site, or the folder or state to list.',
  kind: 'The kind of the record or file.',
  name: 'The name of the file, or of the browser that created a passkey.',
  counts: 'The number of records in each state.',
  success: 'Always true. A failed request returns an error instead.',
  message: 'The text of an inquiry, or a sentence to show to the visitor.',
  code: 'The error code; also a recovery code, or the code of an authorization response (RFC 6749).',
  current:
    'The current password; in an error, the current version of the record; in the list of sessions, whether this request uses the session.',
  error:
    'The last error of a delivery; in a test restore, why it failed; also the error of an authorization response (RFC 6749).',
  // Times are ISO 8601, UTC.
  at: 'When it happened; in a delivery, when the message was sent or the next try is due; ISO 8601, UTC.',
  createdAt: 'When the record was created; ISO 8601, UTC.',
  updatedAt: 'When the record was last changed; ISO 8601, UTC. In a save: the value that the editor read.',
  expiresAt: 'When it expires; ISO 8601, UTC.',
  // Signing in and the account
  email: 'The email address of the person or admin.',
  password: 'The password of the account.',
  token: 'The bearer token of the session; also the secret of a set-up link.',
  user: 'The signed-in admin.',
  returnTo: 'The path to open after signing in.',
  fresh: '`1` makes the provider ask for a new sign-in.',
  state: 'From the authorization request (RFC 6749).',
  iss: 'The provider (RFC 9207).',
  seenAt: 'When the session was last used, rounded down to the hour; ISO 8601, UTC.',
  ended: 'The number of ended sessions.',
  next: 'The new password.',
  removePasskeys: 'Removes all passkeys of the admin.',
  passkeysRemoved: 'The number of removed passkeys.',
  usedAt: 'When the passkey was last used; ISO 8601, UTC. Null if never.',
  hasPassword: 'True if the admin has a password.',
  companyAccount: 'True if the admin has a connected company account.',
  codes: 'The new recovery codes. The site cannot show them again.',
  invitations: 'The invitations, open or expired, or their number.',
  invitedBy: 'The email address of the admin who sent the invitation.',
  setUpLink:
    'The path of the page to set a password or a passkey, after a sign-in with a recovery code, or if an invitation could not be emailed.',
  options: 'The options that a browser needs to create a passkey.',
  passkey: 'The passkey that the browser created.',
  challenge: 'The challenge for the browser; base64url.',
  response: 'The response of the authenticator (WebAuthn).',
  // Inquiries and applications
  resume: 'The resume: a PDF, DOC or DOCX file of at most 5 MB.',
  website: 'Leave empty. People do not see this field, so a text in it marks spam.',
  fillMs: 'How long the visitor took to fill in the form, in milliseconds.',
  handled: 'Whether the submission is handled, or how many are.',
  was: 'In a note: the text that the admin last read. In unsaved changes: the time of the stored version that the client has; empty if it has none.',
  firm: 'The email to the firm.',
  sender: 'The acknowledgment to the sender.',
  inbox: 'The number of submissions in the inbox.',
  leaving: `For applications: how many the site deletes within ${leavingDays} days, in all folders together.`,
  quarantine: 'The number of submissions in quarantine.',
  inquiries: 'The inquiries of the person, or their references.',
  applications: 'The applications of the person, or their references.',
  // Posts
  title: 'The title. In `location`, what the title is.',
  slug: 'The end of the URL of the post: `/blog/{slug}`.',
  content: 'The text. In a post, sanitized HTML. In `location`, what the text is.',
  excerpt: 'The summary for lists.',
  publishAt: 'When the site publishes the draft; ISO 8601, UTC. Null if not scheduled.',
  firstPublishedAt: 'When the post was first published; ISO 8601, UTC.',
  revision: 'The number of the version. A save names the version that the editor read.',
  deletedAt: 'When the record was moved to the trash; ISO 8601, UTC. Null if not deleted.',
  view: '`summary` omits the content of posts.',
  draft: 'The number of drafts.',
  published: 'The number of published posts.',
  scheduled: 'The number of scheduled posts.',
  trash: 'The number of posts in the trash.',
  savedAt: 'When the version was saved; ISO 8601, UTC.',
  base: 'The version on which the unsaved changes are based; null for a new record.',
  by: 'The email address of the admin who wrote the changes.',
  text: 'The fields of the editor.',
  path: 'The path of the shared preview.',
  link: 'The id of a share link; in the activity log, the page of the record.',
  // Media, logo and uploads
  url: 'The URL of the file.',
  originalName: 'The name of the uploaded file.',
  mimeType: 'The media type of the file.',
  size: 'The size of the file in bytes.',
  type: 'The media type of the file.',
  width: 'The width of the picture in pixels; null for other files.',
  height: 'The height of the picture in pixels; null for other files.',
  uploadedAt: 'When the file was uploaded; ISO 8601, UTC.',
  version: 'The version of the file’s bytes, or of the site.',
  v: 'The version of the file. A file with its version can be cached forever.',
  usedIn: 'The posts, sections and unsaved changes to posts that use the file.',
  file: 'The file.',
  logo: 'The picture.',
  logoUrl: 'The URL of the logo.',
  logoFileName: 'The name of the uploaded file of the logo.',
  purpose: 'What the upload is for.',
  part: 'The number of the part, starting at 1.',
  // Sections of the Content Editor
  sectionKey: 'The key of the section.',
  key: 'The key of the section.',
  metadata: 'JSON with further details of the section.',
  location: 'Where the site shows the section.',
  label: 'The name of the section.',
  where: 'The part of the page that shows the section.',
  added: 'The keys of the added sections.',
  publishing: 'How the saved text gets into the pages.',
  // Settings
  who: 'The email address of the admin, or another cause of the entry, such as `The site`.',
  health: 'The health report with every part.',
  database: '`ok`, or what is wrong with the database.',
  blobs: '`ok`, or what is wrong with the file storage.',
  mail: 'The state of email, or which message to send again.',
  webhook: 'The state of messages to the team chat.',
  schedule: '`ok`, or what is wrong with the background tasks.',
  strict: 'With this parameter, the HTTP status is 200 only if every part works.',
  rehearsal: 'The last test restore of a backup into a temporary folder. Missing if the site makes no backups.',
  queued: 'The number of emails that will be sent again.',
  receipts: 'The result of each test message.',
};

/**
 * Descriptions of the properties and parameters of the API, by name, because one word means one thing in the whole API.
 * The fields of the forms have their labels. Other names have the comment of their schema in `src/domain`, unless
 * {@link sharedWords} has them. A description in a schema (`z.describe`) takes precedence. A test checks that the API
 * document leaves no name without a description.
 */
export const apiWords: Readonly<Record<string, string>> = { ...commentsOfSchemas(), ...sharedWords };

/** Bodies of requests and of their responses, by route. A test checks that they fit the schemas of the route. */
export const apiExamples: Readonly<Record<string, { readonly input?: object; readonly output: object }>> = {
  'POST /api/contact': {
    input: {
      fullName: 'Dana Whitfield',
      email: 'dana@example.com',
      company: 'Whitfield Foods',
      serviceInterest: 'project-recovery',
      message: 'Our go-live slipped twice. Can you help?',
    },
    output: { success: true, id: '8f1c2d3e-5a6b-8c7d-8e9f-0a1b2c3d4e5f', reference: '7K3M-9QXD' },
  },
  'POST /api/login': {
    input: { email: 'owner@example.com', password: 'correct horse battery staple' },
    output: {
      success: true,
      token: 'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2ln',
      user: { email: 'owner@example.com' },
    },
  },
  'GET /api/cms/blog-posts/published': {
    output: {
      data: [
        {
          id: '8f1c2d3e-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
          title: 'Five steps to a faster close',
          slug: 'faster-close',
          content: '<p>Start with the reconciliations.</p>',
          excerpt: null,
          featuredImage: null,
          status: 'published',
          publishedAt: '2026-03-02T18:30:00.000Z',
          firstPublishedAt: '2026-03-02T18:30:00.000Z',
          createdAt: '2026-03-01T17:00:00.000Z',
          updatedAt: '2026-03-02T18:30:00.000Z',
        },
      ],
      nextCursor: null,
    },
  },
};
