/**
 * Returns a new `Idempotency-Key` of 128 random bits. `crypto.randomUUID` exists only in secure contexts, so not on a
 * plain http URL in a local network.
 */
export const newSubmissionKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
