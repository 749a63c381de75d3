import type { APIRoute, GetStaticPaths } from 'astro';
import { type Template, templatePaths } from '../../data/templates.ts';
import { csvOf } from '../../domain/template.ts';

export const getStaticPaths = (() => templatePaths()) satisfies GetStaticPaths;

/** Serves a template as a CSV file. The byte order mark makes Excel read the text as UTF-8. */
export const GET: APIRoute<{ template: Template }> = ({ props: { template } }) =>
  new Response(`\uFEFF${csvOf([template.columns, ...template.rows])}`, {
    headers: { 'content-type': 'text/csv; charset=utf-8' },
  });
