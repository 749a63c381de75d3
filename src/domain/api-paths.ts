/** Every address of the API that the browser calls; a test holds them against the functions' own routes. */
export const apiPaths = {
  contact: '/api/contact',
  submissions: '/api/contact/submissions',
  submissionsCsv: '/api/contact/submissions.csv',
  submission: (id: string) => `/api/contact/submissions/${encodeURIComponent(id)}`,
  releaseSubmission: (id: string) => `/api/contact/submissions/${encodeURIComponent(id)}/release`,
  quarantineSubmission: (id: string) => `/api/contact/submissions/${encodeURIComponent(id)}/quarantine`,
  resendSubmission: (id: string) => `/api/contact/submissions/${encodeURIComponent(id)}/resend`,
  login: '/api/login',
  logout: '/api/logout',
  authStatus: '/api/auth/status',
  section: (key: string) => `/api/cms/content/${encodeURIComponent(key)}`,
  uploads: '/api/uploads',
  uploadPart: (id: string, part: number) => `/api/uploads/${encodeURIComponent(id)}/parts/${part}`,
  activity: '/api/settings/activity',
  health: '/api/health',
} as const;
