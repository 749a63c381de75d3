import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { adminQueryClient } from '../lib/query-client.ts';

interface EntryFrameProps {
  siteName: string;
  title: string;
  children: ReactNode;
}

/** The frame of the pages for people who are not signed in. */
export function EntryFrame({ siteName, title, children }: EntryFrameProps) {
  const [client] = useState(adminQueryClient);
  return (
    <QueryClientProvider client={client}>
      <main
        id="main"
        className="mx-auto my-8 grid w-[min(28rem,100vw-2rem)] gap-5 md:mt-[max(2rem,14vh)] md:bg-raised md:px-10 md:pt-10 md:pb-4 md:rule-rule-strong"
      >
        <p className="pb-3 title-lg/[1.45] [text-box:trim-both_cap_alphabetic] double-b-rule-strong">{siteName}</p>
        <h1 className="text-xl">{title}</h1>
        {children}
        <p>
          <a className="inline-block py-3" href="/">
            Back to the website
          </a>
        </p>
      </main>
    </QueryClientProvider>
  );
}
