// Runs `npm run new:article "Title"`: creates a draft that the build accepts. `npm run dev` shows the draft. Delete the
// field `draft` to publish the article.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { longestDescription } from '../src/domain/description.ts';
import { slugOf } from '../src/domain/slug.ts';
import { site } from '../src/site.config.ts';

const [title = '', root = process.cwd()] = process.argv.slice(2);
try {
  const file = await newArticle(root, title.trim());
  console.log(`Created the draft ${file}. Write it while \`npm run dev\` shows it, then:
- set minutes to its words divided by 220, and replace every text that begins with "Write";
- run \`npm run check:content\`;
- remove the line \`draft: true\` to publish the article with the next build.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Creates the file of a draft.
 * @returns the path of the file, relative to `root`.
 * @throws if no file name can be made from the title, or if an article with that name exists.
 */
async function newArticle(root: string, title: string): Promise<string> {
  const name = slugOf(title.normalize('NFD').replace(/\p{M}/gu, '')).replace(/[^a-z0-9-]/g, '');
  if (title.length < 10 || title.length > 80 || name === '') {
    throw new Error(
      'Please give a title of 10 to 80 characters: npm run new:article "NetSuite close guide: the first five days"',
    );
  }
  const file = `content/articles/${name}.mdx`;
  try {
    await writeFile(join(root, file), draft(title), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${file} already exists and was not changed. Choose another title, or edit that article.`);
  }
  return file;
}

function draft(title: string): string {
  const today = new Intl.DateTimeFormat('sv', { timeZone: site.timeZone }).format();
  return `---
title: ${title.includes("'") ? JSON.stringify(title) : `'${title}'`}
description: 'Write one sentence of 50 to ${longestDescription} characters that says what the article answers.'
keywords:
  - write as someone would search
  - three keywords at least
  - eight at most
category: Implementation
drawing: modules
publishedAt: '${today}'
minutes: 1
author: firm
summary: 'Write one sentence of 40 to 200 characters: the text on the card.'
lead: 'Write one or two sentences of 40 to 260 characters: the text under the headline.'
takeaways:
  - 'Write the first point that a reader should keep.'
  - 'Write the second point that a reader should keep.'
  - 'Write the third point that a reader should keep.'
draft: true
callToAction:
  title: 'Write one question to the reader?'
  text: 'Write what the reader should send, and what comes back.'
  actions:
    - label: 'Contact us'
      href: /contact
---

Write who this is for, and what they can decide after reading it.

## Write the first section

<KeyActions>

- Write what to do first.

</KeyActions>

## Write the second section

<DataTable caption="Write what the table shows">

| Write | a   |
| ----- | --- |
| small | one |

</DataTable>
`;
}
