/** Parts of console messages, page errors or failed requests that a test causes on purpose. */
export type Expected = string | RegExp;

/** On a machine that is very busy, the health report says so with status 503, and Chromium prints the status. */
const busy = /status of 503.*\/api\/health/;

/** Returns the problems of a page that the test did not declare. */
export function unexpectedOf({ problems, expected }: { problems: readonly string[]; expected: readonly Expected[] }) {
  const known = (problem: string): boolean =>
    [busy, ...expected].some((one) => (typeof one === 'string' ? problem.includes(one) : one.test(problem)));
  return problems.filter((problem) => !known(problem));
}
