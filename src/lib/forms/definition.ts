import type * as z from 'zod/mini';

/** What a toast says; both are words of the specification, never added to. */
interface FormMessage {
  readonly title: string;
  readonly description: string;
}

/** What one variant of a form says to the visitor. */
export interface FormTexts {
  /** Shown, with nothing sent, while a field that is needed is empty. Without it the fields alone say what is wrong. */
  readonly incomplete?: FormMessage;
  readonly success: FormMessage;
  /** The description stands in for an error that has no words of its own. */
  readonly failure: FormMessage;
  /** Whether a failure is described by the error's own message where it has one. */
  readonly describesError: boolean;
  /** The visitor's words for what the server said; undefined where it has none for that. */
  readonly describe?: (words: string) => string | undefined;
}

/** A file that is not taken: what a toast says, and what stands beside the field. */
export interface FileRefusal extends FormMessage {
  readonly beside: string;
}

/** An accepted submission. */
interface Receipt {
  /** Undefined where the answer names none: the submission was accepted all the same. */
  readonly reference?: string | undefined;
  /** What becomes of it, in the server's words; takes the place of the success's description. */
  readonly outcome?: string;
}

/** What the form enhancer needs to know of one noun's form. */
export interface FormDefinition {
  /** Names of the fields, in the order of the form. */
  readonly fields: readonly string[];
  /** The noun's own input schema: it reads the fields' texts, and its messages stand beside them. */
  readonly schema: z.core.$ZodType<Record<string, string>>;
  /** The file that belongs to the form; it is needed. */
  readonly file?: {
    readonly field: string;
    readonly missing: FileRefusal;
    readonly refuse: (file: File) => FileRefusal | undefined;
  };
  /**
   * Sends a submission.
   * @param fields the schema's output, and the marks.
   * @param sending.key names the submission, however often it is sent.
   */
  readonly send: (
    fields: Readonly<Record<string, string | number>>,
    file: File | undefined,
    sending: { readonly key: string; readonly onProgress: (sent: number, total: number) => void },
  ) => Promise<Receipt>;
  /** Optional marks that are sent beside the fields. */
  readonly marks: {
    /** A field that people cannot see; sent only where something filled it. */
    readonly honeypot: string;
    /** Milliseconds between the page being opened and the form being sent. */
    readonly fillTime: string;
  };
  /** What analytics learns of it, where the visitor allowed that (spec §7). */
  readonly analytics: {
    /** An accepted submission, with what the schema made of the fields. */
    readonly sent: (values: Readonly<Record<string, string>>) => void;
    /** One that was refused or did not arrive. */
    readonly failed: () => void;
  };
  /** By the form's `data-variant`. */
  readonly variants: Readonly<Record<string, FormTexts>>;
  /** Called once, after a draft was put back. */
  readonly prepare?: (form: HTMLFormElement) => void;
}
