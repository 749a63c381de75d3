/** Completes the environment of the host process with what must be set before it starts. */
export function hostEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
