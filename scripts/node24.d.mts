/** Completes the environment of the host process with variables that must be set before it starts. */
export function hostEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
/** Options of Node for the host process. */
export const hostOptions: readonly string[];
/** Returns the seconds since a time in milliseconds, as text. */
export function seconds(since: number): string;
