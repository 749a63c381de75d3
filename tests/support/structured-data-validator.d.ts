declare module '@adobe/structured-data-validator' {
  interface Issue {
    issueMessage: string;
    severity: 'ERROR' | 'WARNING';
  }

  /** Checks Google's rules for rich results. @param data nodes by type, for each format. */
  export default class Validator {
    validate(data: Record<'jsonld' | 'microdata' | 'rdfa', Record<string, object[]>>): Promise<Issue[]>;
  }
}
