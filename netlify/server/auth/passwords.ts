import { site } from '../../../src/site.config.ts';
import { EnvError } from '../env.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';

/**
 * The zxcvbn library estimates how many guesses a password withstands. It gets only this many characters, so it takes
 * only a few milliseconds. A password whose beginning is strong is strong as a whole.
 */
const longestEstimated = 32;
/**
 * The number of guesses that a password must withstand, as a power of ten (10 means 10^10). Common passwords and their
 * usual variations withstand fewer guesses.
 */
const fewestGuesses = 10;
/**
 * A password must not contain a name of at least this many characters ({@link namesOf}). Shorter names occur in too
 * many ordinary words.
 */
const shortestName = 5;

/**
 * Explains why a password is too easy to guess. Weak passwords are common passwords and their variations, repeated
 * characters, neighboring keys such as `qwerty`, and passwords with the email address or the firm's name. The password
 * is not sent to any service.
 * @returns a sentence for the person who chose the password; null for a good password.
 */
export async function weaknessOf(password: string, email: string): Promise<string | null> {
  const plain = lettersOf(password);
  if (namesOf(email).some((name) => plain.includes(name))) {
    return "Please choose a password without your email address or the firm's name in it.";
  }
  const { guessesLog10 } = (await estimator()).check(password.slice(0, longestEstimated), namesOf(email));
  if (guessesLog10 >= fewestGuesses) return null;
  return 'This password is too easy to guess. Please choose one that is longer or less common, such as four random words.';
}

/** Refuses a password that is easy to guess. @throws {Refusal} `invalid_input` on the field `next`. */
export async function requireUncommonPassword(password: string, email: string): Promise<void> {
  const weakness = await weaknessOf(password, email);
  if (weakness !== null) throw new Refusal('invalid_input', weakness, { errors: { next: weakness } });
}

/**
 * Returns the email address, its parts and the firm's name, in lowercase and without punctuation. Omits names shorter
 * than `shortestName`.
 */
function namesOf(email: string): string[] {
  const [local = '', host = ''] = email.split('@');
  const names = [email, local, host.split('.')[0] ?? '', site.name].map(lettersOf);
  return [...new Set(names)].filter((name) => name.length >= shortestName);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Loads the zxcvbn library and its word lists. They are loaded only when a password is checked, because people rarely
 * choose a password.
 */
async function estimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

/**
 * Creates the first admin from `ADMIN_EMAIL` and `ADMIN_PASSWORD` if no admin has a password yet. A self-hosted server
 * calls this function when it starts. Netlify runs no code at start, so each sign-in calls this function too.
 * @param password used if `ADMIN_PASSWORD` is not set. If both are missing, no admin is created.
 * @returns whether this call created the admin.
 * @throws {EnvError} for a common password in production.
 */
export async function createFirstAdmin(
  { env, stores, passwords, now }: Services,
  password: string | null = null,
): Promise<boolean> {
  const chosen = env.ADMIN_PASSWORD ?? password;
  if (chosen === null || (await stores.admins.first()) !== null) return false;
  const email = env.ADMIN_EMAIL ?? 'admin@localhost';
  const weakness = env.production ? await weaknessOf(chosen, email) : null;
  if (weakness !== null) throw new EnvError(`ADMIN_PASSWORD is not safe enough for production. ${weakness}`);
  return await stores.admins.createFirst({ email, passwordHash: await passwords.hash(chosen) }, now().toISOString());
}
