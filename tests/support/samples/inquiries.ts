/** Returns an inquiry as a person would send it. */
export function anInquiry(changes: Record<string, unknown> = {}) {
  return {
    fullName: 'Dana Whitfield',
    email: 'dana@whitfield-foods.example',
    company: 'Whitfield Foods',
    serviceInterest: 'project-recovery',
    message: 'Our go-live slipped twice and the subledgers do not agree. Can you look at it?',
    ...changes,
  };
}
