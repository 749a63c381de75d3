import { type PasswordCost, passwordsOf } from '../../../netlify/server/auth/passwords.ts';

/** Takes about 0.1 ms. Hundreds of tests sign in, and a hash at full cost takes 0.1 s of processor time. */
export const quickCost: PasswordCost = { N: 16, r: 1, p: 1 };

/** Hashes a password for services with {@link quickCost}. */
export const hashPassword = (password: string) => passwordsOf(quickCost).hash(password);
