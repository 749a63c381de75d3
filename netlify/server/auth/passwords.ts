import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';

// OWASP's parameters for scrypt: 128 MB and about a tenth of a second for each guess.
const cost = { N: 2 ** 17, r: 8, p: 1 } as const;
const keyBytes = 32;

/** A salted scrypt hash of a password, with its parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', Math.log2(cost.N), cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Compares in constant time.
 * @param stored as given by {@link hashPassword}; null for an account that does not exist, which costs the same time.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, logN, r, p, salt, key] = (stored ?? (await hashOfNobody())).split('$');
  if (scheme !== 'scrypt' || !logN || !r || !p || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), {
    N: 2 ** Number(logN),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(actual, expected) && stored !== null;
}

// Without the letters and digits that are taken for one another.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password that nobody can guess and everybody can type: 20 characters in groups of five. */
export function madeUpPassword(): string {
  const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}

let nobody: Promise<string> | undefined;
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(randomBytes(16).toString('base64url'));
  return nobody;
}

function derive(password: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
