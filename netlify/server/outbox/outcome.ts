/**
 * The result of sending a message: it was sent, its submission was deleted, or it was skipped with a reason for the
 * admin.
 */
export type Outcome = 'sent' | 'gone' | { readonly skipped: string };
