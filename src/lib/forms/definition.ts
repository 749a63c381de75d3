import type { Fields } from '../../domain/field.ts';

/**
 * Title and description of a toast (docs/product.md#fixed-texts). The description for a refused file is also the error
 * next to its field.
 */
export interface FormMessage {
  readonly title: string;
  readonly description: string;
}

export interface FormTexts {
  /** Shown if a required field is empty. Without this message, only the fields show their errors. */
  readonly incomplete?: FormMessage;
  readonly success: FormMessage;
  /** The description is the default for errors without their own message. */
  readonly failure: FormMessage;
  /** True if the toast shows the error's own message instead of the default description. */
  readonly describesError: boolean;
  /** Returns the visitor's text for an error message from the server, or undefined if there is no such text. */
  readonly describe?: (words: string) => string | undefined;
}

interface Receipt {
  /** Undefined if the response contains no reference. The submission was accepted nevertheless. */
  readonly reference?: string | undefined;
  /** Replaces the success toast's description. */
  readonly outcome?: string;
}

/** Everything that `enhanceForm` (enhance.ts) needs to know about one form. */
export interface FormDefinition {
  readonly fields: Fields;
  /** Only for a form with a file, which the visitor must select. */
  readonly file?: {
    readonly field: string;
    readonly missing: FormMessage;
    readonly refuse: (file: File) => FormMessage | undefined;
  };
  /**
   * Sends a submission.
   * @param fields parsed by the schema, with the hidden fields that detect bots.
   * @param sending.key idempotency key, the same in every retry.
   */
  readonly send: (
    fields: Readonly<Record<string, string | number>>,
    file: File | undefined,
    sending: { readonly key: string; readonly onProgress: (sent: number, total: number) => void },
  ) => Promise<Receipt>;
  /** Analytics events, sent only with the visitor's consent (docs/product.md#analytics). */
  readonly analytics: {
    /** Reports an accepted submission with its parsed fields. */
    readonly sent: (values: Readonly<Record<string, string>>) => void;
    /** Reports a submission that was refused or did not reach the server. */
    readonly failed: () => void;
  };
  /** Messages, by the value of the form's attribute `data-variant`. */
  readonly variants: Readonly<Record<string, FormTexts>>;
  /** Called once, after any draft has been restored. */
  readonly prepare?: (form: HTMLFormElement) => void;
}
