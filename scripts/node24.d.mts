/** Completes the environment of the host process with variables that must be set before it starts. */
export function hostEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
/** Options of Node for the host process. */
export const hostOptions: readonly string[];
