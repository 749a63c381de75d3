/** Parts of console messages, page errors or failed requests that a test causes on purpose. */
export type Expected = string | RegExp;

/** Returns the problems of a page that the test did not declare. */
export function unexpectedOf({ problems, expected }: { problems: readonly string[]; expected: readonly Expected[] }) {
  const known = (problem: string): boolean =>
    expected.some((one) => (typeof one === 'string' ? problem.includes(one) : one.test(problem)));
  // On a busy machine, a part of the site may answer the admin area's question about its health after the deadline.
  const isLate = (problem: string) => /status of 503.*\/api\/health/.test(problem);
  return problems.filter((problem) => !known(problem) && !isLate(problem));
}
