import v8 from 'node:v8';

/*
 * Keeps V8's young generation as small as it starts. It would grow to tens of megabytes, and each of its collections would
 * then hold up every visitor for 5 to 15 ms; many short ones cost the same in all. Measured with `npm run bench contact` at 16
 * connections: the slowest hundredth fell from 31 ms to 16 ms at the same rate. It has to be set before the first garbage.
 */
v8.setFlagsFromString('--semi-space-growth-factor=1');
