import { readFileSync } from 'node:fs';

/** Returns the code blocks of an article in this language. */
export function codeOf(article: string, language: string): string[] {
  const text = readFileSync(`content/articles/${article}.mdx`, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);
}

/** The usage units that one execution may use, by script type (docs.oracle.com, section_N3351480). */
const allowance: Record<string, number> = {
  ClientScript: 1_000,
  UserEventScript: 1_000,
  Suitelet: 1_000,
  Restlet: 5_000,
  ScheduledScript: 10_000,
  MapReduceScript: 10_000,
};

/** The options that the articles' code samples pass to NetSuite's modules. */
interface Options {
  readonly id: string;
  readonly title: string;
  readonly details: string;
  readonly params: { readonly custscript_orders: string };
}

interface Call {
  readonly api: string;
  readonly options: Options;
}

/**
 * Simulates NetSuite while one script runs: counts usage units by Oracle's table of APIs (docs.oracle.com,
 * section_157072844224), stops the script when its units are used up, and records every call.
 *
 * @param answers the return values of the stubbed calls, by name.
 */
export function netsuite(code: string, answers: Record<string, (options: Options) => unknown> = {}) {
  const type = /@NScriptType (\w+)/.exec(code)?.[1] ?? '';
  const allowed = allowance[type];
  if (allowed === undefined || !code.includes('@NApiVersion 2.1')) throw new Error(`No script of version 2.1: ${code}`);
  let used = 0;
  const calls: Call[] = [];
  const api =
    (name: string, units: number) =>
    (options: Options): unknown => {
      used += units;
      if (used > allowed) throw new Error('SSS_USAGE_LIMIT_EXCEEDED');
      calls.push({ api: name, options });
      return answers[name]?.(options);
    };
  const form = { addField: api('form.addField', 0), addSubmitButton: api('form.addSubmitButton', 0) };
  const modules: Record<string, object> = {
    'N/log': { error: api('log.error', 0), audit: api('log.audit', 0) },
    'N/query': { runSuiteQL: (options: Options) => ({ asMappedResults: () => api('query.runSuiteQL', 10)(options) }) },
    'N/record': { Type: { SALES_ORDER: 'salesorder' }, submitFields: api('record.submitFields', 10) },
    'N/runtime': { getCurrentScript: () => ({ getRemainingUsage: () => allowed - used }) },
    'N/scriptTypes/restlet': { createResponse: (options: Options) => options },
    'N/search': {
      Type: { CUSTOMER: 'customer' },
      lookupFields: api('search.lookupFields', 1),
      load: (options: Options) => {
        api('search.load', 5)(options);
        return { run: () => ({ getRange: api('getRange', 10) }) };
      },
    },
    'N/task': {
      TaskType: { SCHEDULED_SCRIPT: 'SCHEDULED_SCRIPT' },
      create: (options: Options) => ({ submit: () => api('task.submit', 20)(options) }),
    },
    'N/ui/dialog': { alert: api('dialog.alert', 0) },
    'N/ui/serverWidget': { FieldType: { TEXTAREA: 'TEXTAREA' }, createForm: () => form },
  };
  let entryPoints: Record<string, (given?: object) => unknown> = {};
  const define = (names: string[], factory: (...given: object[]) => typeof entryPoints): void => {
    entryPoints = factory(
      ...names.map((name) => {
        if (!(name in modules)) throw new Error(`The stub of NetSuite has no module ${name}.`);
        return modules[name]!;
      }),
    );
  };
  // The code is a sample from this repository.
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('define', code)(define);
  return { entryPoints, calls, used: () => used, of: (name: string) => calls.filter((call) => call.api === name) };
}
