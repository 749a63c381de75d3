/** Returns the paths of inquiries or of applications. The two differ only in `list`, with which every path begins. */
function submissionPaths(list: `/${string}`) {
  const one = (id: string) => `${list}/${encodeURIComponent(id)}`;
  return {
    list,
    csv: `${list}.csv`,
    one,
    release: (id: string) => `${one(id)}/release`,
    quarantine: (id: string) => `${one(id)}/quarantine`,
    handle: (id: string) => `${one(id)}/handled`,
    note: (id: string) => `${one(id)}/note`,
    resend: (id: string) => `${one(id)}/resend`,
  } as const;
}

export type SubmissionPaths = ReturnType<typeof submissionPaths>;

/** The API paths that the browser calls. A test compares them with the routes of the functions. */
export const apiPaths = {
  contact: '/api/contact',
  careerApplication: '/api/career-application',
  inquiries: submissionPaths('/api/contact/submissions'),
  applications: {
    ...submissionPaths('/api/contact/applications'),
    hold: (id: string) => `/api/contact/applications/${encodeURIComponent(id)}/hold`,
    resume: (id: string) => `/api/contact/applications/${encodeURIComponent(id)}/resume`,
  },
  personalData: '/api/contact/personal-data',
  personalDataCopy: '/api/contact/personal-data.json',
  erasePersonalData: '/api/contact/erase',
  login: '/api/login',
  logout: '/api/logout',
  authStatus: '/api/auth/status',
  authFresh: '/api/auth/fresh',
  media: '/api/cms/media',
  mediaFile: (id: string) => `/api/cms/media/${encodeURIComponent(id)}`,
  restoreMediaFile: (id: string) => `/api/cms/media/${encodeURIComponent(id)}/restore`,
  replaceMediaFile: (id: string) => `/api/cms/media/${encodeURIComponent(id)}/replace`,
  undoReplaceMediaFile: (id: string) => `/api/cms/media/${encodeURIComponent(id)}/replace/undo`,
  settings: '/api/settings',
  logo: '/api/settings/logo',
  restoreLogo: '/api/settings/logo/restore',
  sections: '/api/cms/content',
  publishedSections: '/api/cms/content/published',
  initializeSections: '/api/cms/content/initialize',
  section: (key: string) => `/api/cms/content/${encodeURIComponent(key)}`,
  posts: '/api/cms/blog-posts',
  post: (id: string) => `/api/cms/blog-posts/${encodeURIComponent(id)}`,
  restorePost: (id: string) => `/api/cms/blog-posts/${encodeURIComponent(id)}/restore`,
  postVersions: (id: string) => `/api/cms/blog-posts/${encodeURIComponent(id)}/versions`,
  postVersion: (id: string, revision: number) => `/api/cms/blog-posts/${encodeURIComponent(id)}/versions/${revision}`,
  publishedPosts: '/api/cms/blog-posts/published',
  postDrafts: '/api/cms/post-drafts',
  postDraft: (key: string) => `/api/cms/post-drafts/${encodeURIComponent(key)}`,
  shareLinks: (key: string) => `/api/cms/post-drafts/${encodeURIComponent(key)}/links`,
  shareLink: (key: string, id: string) =>
    `/api/cms/post-drafts/${encodeURIComponent(key)}/links/${encodeURIComponent(id)}`,
  uploads: '/api/uploads',
  uploadPart: (id: string, part: number) => `/api/uploads/${encodeURIComponent(id)}/parts/${part}`,
  activity: '/api/settings/activity',
  sessions: '/api/settings/sessions',
  session: (id: string) => `/api/settings/sessions/${encodeURIComponent(id)}`,
  password: '/api/settings/password',
  passkeys: '/api/settings/passkeys',
  passkeyOptions: '/api/settings/passkeys/options',
  passkey: (id: string) => `/api/settings/passkeys/${encodeURIComponent(id)}`,
  passkeySignInOptions: '/api/login/passkey/options',
  passkeySignIn: '/api/login/passkey',
  siteStatus: '/api/settings/status',
  acceptMissingFiles: '/api/settings/accept-missing-files',
  testMail: '/api/settings/test-mail',
  testWebhook: '/api/settings/test-webhook',
  health: '/api/health',
} as const;
