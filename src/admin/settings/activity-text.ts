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
export function activityText({ who, action, subject, count }: ActivityRecord): ActivityText {
  return { who: who === retention ? 'The site' : who, ...actionText(action, subject, count) };
}

type Words = Omit<ActivityText, 'who'>;

function actionText(action: string, subject: string, count: number): Words {
  if (action === failedSignIn) {
    return {
      before: count === 1 ? 'tried to sign in' : `tried to sign in ${numberText(count)} times`,
      subject,
      after: '',
    };
  }
  // An earlier version counted an admin's actions beyond 1,000 a day. Such an entry names no object.
  if (count > 1) return { before: `${action} (${numberText(count)} times)`, subject, after: '' };
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
