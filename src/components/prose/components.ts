import Callout from './Callout.astro';
import Checklist from './Checklist.astro';
import CodeBlock from './CodeBlock.astro';
import DataTable from './DataTable.astro';
import DemoVideo from './DemoVideo.astro';
import Heading2 from './Heading2.astro';
import Heading3 from './Heading3.astro';
import KeyActions from './KeyActions.astro';
import ServiceGrid from './ServiceGrid.astro';
import Steps from './Steps.astro';
import Table from './Table.astro';
import Transcript from './Transcript.astro';
import WorkedExample from './WorkedExample.astro';

/** What the text of an article is made of: elements of Markdown, and the names that editors write (CONTRIBUTING.md). */
export const proseComponents = {
  h2: Heading2,
  h3: Heading3,
  pre: CodeBlock,
  table: Table,
  Callout,
  Checklist,
  DataTable,
  DemoVideo,
  KeyActions,
  ServiceGrid,
  Steps,
  Transcript,
  WorkedExample,
};
