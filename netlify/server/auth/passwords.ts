import { randomBytes, randomInt, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { site } from '../../../src/site.config.ts';

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
  // The library and its word lists are loaded only now, because people rarely choose a password.
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const { adjacencyGraphs: graphs, dictionary } = await import('@zxcvbn-ts/language-common');
  const estimator = new ZxcvbnFactory({ dictionary, graphs });
  const { guessesLog10 } = estimator.check(password.slice(0, longestEstimated), namesOf(email));
  if (guessesLog10 >= fewestGuesses) return null;
  return 'This password is too easy to guess. Please choose one that is longer or less common, such as four random words.';
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

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The scrypt parameters of a hash. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * OWASP's Password Storage Cheat Sheet lists several scrypt settings as equally strong. These parameters take 32 MB and
 * about 0.1 s. The better-known parameters take 128 MB.
 */
export const fullCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;

export type Passwords = ReturnType<typeof passwordsOf>;

/** @param cost lower only in tests, which sign in hundreds of times. No environment variable changes the cost. */
export function passwordsOf(cost: PasswordCost) {
  const current = `scrypt$${Math.log2(cost.N)}$${cost.r}$${cost.p}$`;
  const random = (bytes: number) => randomBytes(bytes).toString('base64url');
  // A random hash. Passwords for accounts that do not exist are compared with it.
  const hashOfNobody = `${current}${random(16)}$${random(keyBytes)}`;
  return {
    /** Returns a salted scrypt hash of a password, with the hash parameters. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16);
      const key = await derive(password, salt, cost);
      return `${current}${salt.toString('base64url')}$${key.toString('base64url')}`;
    },

    /**
     * Compares a password with a stored hash in constant time.
     * @param stored as given by `hash`; null for an account that does not exist. The check takes the same time in both
     * cases.
     */
    async verify(password: string, stored: string | null): Promise<boolean> {
      const [scheme, logN, r, p, salt, key] = (stored ?? hashOfNobody).split('$');
      if (scheme !== 'scrypt' || !logN || !r || !p || !salt || !key) return false;
      const parameters = { N: 2 ** Number(logN), r: Number(r), p: Number(p) };
      const actual = await derive(password, Buffer.from(salt, 'base64url'), parameters);
      return timingSafeEqual(actual, Buffer.from(key, 'base64url')) && stored !== null;
    },

    /** Returns true for a hash that was created with parameters other than the current ones. */
    isOutdated: (stored: string): boolean => !stored.startsWith(current),
  };
}

// The alphabet omits letters and digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Generates a random password that is easy to type: 20 characters in groups of five. */
export function madeUpPassword(): string {
  const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  scryptKey(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r });
