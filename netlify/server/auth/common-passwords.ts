import { Refusal } from '../http/refusal.ts';
import { site } from '../../../src/site.config.ts';

/** The estimate looks at so many characters, which takes a few milliseconds. A strong beginning is a strong password. */
const longestEstimated = 32;
/** Guesses that a password must withstand, as a power of ten. Common passwords and their usual variations stay below. */
const fewestGuesses = 10;
/** A shorter part of an address is part of too many ordinary words. */
const shortestName = 5;

/**
 * Tells why a password is too easy to guess: it is on the lists of common passwords or a variation of one, a repetition, a
 * row of keys, or has the address or the firm's name in it. It asks no server.
 * @returns a sentence for the person who chose it; null for a good password.
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

/** @throws {Refusal} `invalid_input` on the field `next`. */
export async function requireUncommonPassword(password: string, email: string): Promise<void> {
  const weakness = await weaknessOf(password, email);
  if (weakness !== null) throw new Refusal('invalid_input', weakness, { errors: { next: weakness } });
}

/** The address, the parts of it, and the firm's name, as they could be part of a password. */
function namesOf(email: string): string[] {
  const [local = '', host = ''] = email.split('@');
  const names = [email, local, host.split('.')[0] ?? '', site.name].map(lettersOf);
  return [...new Set(names)].filter((name) => name.length >= shortestName);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Loaded with its word lists when a password is chosen, which is seldom. */
async function estimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
