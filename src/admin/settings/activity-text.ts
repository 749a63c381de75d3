import { type ActivityRecord, failedSignIn, retention } from '../../domain/activity.ts';
import { numberText } from '../../domain/number-words.ts';

/**
 * The parts of the sentence that describes one entry of the activity log, in order. Parts may be empty. `subject` names
 * the changed object.
 */
interface ActivityText {
  readonly who: string;
  readonly before: string;
  readonly subject: string;
  readonly after: string;
}

/**
 * Returns the sentence that describes one entry of the activity log:
 * `owner@firm.example moved the post “Closing the books” to the trash`.
 */
export function activityText({ who, kind, action, subject, count }: ActivityRecord): ActivityText {
  if (kind === 'refused') return { who: 'The server', ...refusedText(action, subject, count) };
  return { who: who === retention ? 'The site' : who, ...actionText(action, subject, count) };
}

type Words = Omit<ActivityText, 'who'>;

const unnamedUrls: Readonly<Record<string, string>> = { unknown: 'an unknown URL', 'other addresses': 'other URLs' };

function refusedText(action: string, subject: string, count: number): Words {
  const what = 'blocked a request';
  const before = count === 1 ? what : `blocked ${numberText(count)} requests`;
  const reason = action
    .slice(what.length)
    .trim()
    .replace(/^that/, `because ${count === 1 ? 'it' : 'they'}`);
  return { before: `${before} to`, subject: unnamedUrls[subject] ?? subject, after: reason };
}

function actionText(action: string, subject: string, count: number): Words {
  if (action === failedSignIn) {
    return {
      before: count === 1 ? 'tried to sign in' : `tried to sign in ${numberText(count)} times`,
      subject,
      after: '',
    };
  }
  // This entry counts several actions of the same kind on different objects, so `subject` is empty.
  if (count > 1) return { before: `${manyOf(action)} (${numberText(count)} times)`, subject, after: '' };
  const submission = /\ban? (inquiry|application)\b/.exec(action);
  if (subject && submission) {
    const [phrase, noun] = submission;
    const [before = '', after = ''] = action.split(phrase);
    return { before: `${before}${noun}`, subject, after: after.trim() };
  }
  const named = /\b(?:post|file|logo|passkey|session|changed the text)\b,?/.exec(action);
  if (subject && named) {
    const end = named.index + named[0].length;
    // Quotes the title or file name, which could otherwise read like a part of the sentence.
    const before = action.slice(0, end).replace(/,$/, '');
    return { before, subject: `“${subject}”`, after: action.slice(end).trim() };
  }
  return { before: action, subject: /^\w{4}-\w{4}\b/.test(subject) ? `(${subject})` : subject, after: '' };
}

/** Returns an action for several objects: `uploaded the file` becomes `uploaded files`. */
function manyOf(action: string): string {
  return action
    .replace(/\b(?:the|an?) ((?:new |previous |share )?)(post|file|inquiry|application|resume|text|link)\b/, '$1$2s')
    .replace('inquirys', 'inquiries');
}
