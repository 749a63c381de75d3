import type { Fields } from '../../domain/field.ts';

/** Title and description of a toast (docs/product.md#fixed-texts). */
interface FormMessage {
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

/** Messages for a refused file: the toast, and the error next to the field. */
export interface FileRefusal extends FormMessage {
  readonly beside: string;
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
    readonly missing: FileRefusal;
    readonly refuse: (file: File) => FileRefusal | undefined;
  };
  /**
   * Sends a submission.
   * @param fields parsed by the schema, with the hidden fields of `marks`.
   * @param sending.key idempotency key, the same in every retry.
   */
  readonly send: (
    fields: Readonly<Record<string, string | number>>,
    file: File | undefined,
    sending: { readonly key: string; readonly onProgress: (sent: number, total: number) => void },
  ) => Promise<Receipt>;
  /** Names of the hidden fields that detect bots. */
  readonly marks: {
    /** Name of a field that people cannot see. The field is sent only if it is filled. */
    readonly honeypot: string;
    /** Name of the field with the number of milliseconds between opening the page and sending the form. */
    readonly fillTime: string;
  };
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
