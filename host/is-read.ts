/** Returns true for the methods that change nothing. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
