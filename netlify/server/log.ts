/** One line of JSON. Never a body, a query string or anything that a person wrote. */
export function logError(event: string, fields: Record<string, string | number | boolean>, error?: unknown): void {
  console.error(JSON.stringify({ level: 'error', at: new Date().toISOString(), event, ...fields, ...describe(error) }));
}

export function logInfo(event: string, fields: Record<string, string | number | boolean>): void {
  console.log(JSON.stringify({ level: 'info', at: new Date().toISOString(), event, ...fields }));
}

function describe(error: unknown): Record<string, string> {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error: `a thrown ${typeof error}` };
  return {
    error: `${error.name}: ${error.message}`,
    ...(error.stack && { stack: error.stack.split('\n').slice(1, 8).join('\n') }),
    ...(error.cause instanceof Error && { cause: `${error.cause.name}: ${error.cause.message}` }),
  };
}
