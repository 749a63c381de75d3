import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type ApplicationRecord, applicationRecord } from '../../domain/submissions/application.ts';
import { personalData } from '../../domain/submissions/personal-data.ts';
import { type SubmissionFolder, referenceOf } from '../../domain/submissions/submission.ts';
import type { Submission } from '../../domain/submissions/submission-kinds.ts';
import { ApiError } from '../../lib/request/api.ts';
import { undo, useAct } from '../lib/act.ts';
import { type Request, useRequest } from '../lib/signed-in-request.ts';
import { dropDeviceCopies } from '../unsaved/copies.ts';
import { folders } from './folders.ts';
import { type KindName, type MessageId, type SubmissionPage, kindIn, kindOf, kinds } from './kinds.ts';

const all = ['submissions'] as const;
const lists = [...all, 'list'] as const;
const ones = [...all, 'one'] as const;
const oneKey = (id: string) => [...ones, id] as const;

/** Returns one submission. Starts with the copy from a loaded list, if there is one. */
export function useSubmission(kind: KindName, id: string) {
  const client = useQueryClient();
  const send = useRequest();
  const { paths, record: schema } = kinds[kind];
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => send(paths.one(id), { schema, signal }),
    initialData: () => cachedPages(client).flatMap(([, page]) => page.data.filter((row) => row.id === id))[0],
  });
}

function cachedPages(client: QueryClient): [QueryKey, SubmissionPage][] {
  return client
    .getQueriesData<SubmissionPage>({ queryKey: lists })
    .flatMap(([key, page]) => (page ? [[key, page]] : []));
}

/** Shows a changed submission in every list and panel that contains the submission. */
function show(client: QueryClient, record: Submission): void {
  client.setQueryData(oneKey(record.id), record);
  for (const [key, page] of cachedPages(client)) {
    client.setQueryData(key, { ...page, data: page.data.map((row) => (row.id === record.id ? record : row)) });
  }
}

type SubmissionAction = 'handle' | 'note' | 'quarantine' | 'release' | 'resend';

/** Changes a submission. @returns the changed submission. */
function change(send: Request, submission: Submission, action: SubmissionAction, body?: object): Promise<Submission> {
  const { paths, record: schema } = kindOf(submission);
  const method = action === 'note' ? 'PUT' : 'POST';
  return send(paths[action](submission.id), { method, schema, ...(body && { body }) });
}

export interface Move {
  readonly submission: Submission;
  /** `inbox` releases a submission from quarantine and sends its messages, or reopens a handled submission. */
  readonly to: SubmissionFolder;
}

const nameOf = (submission: Submission) => `${submission.fullName}’s ${kindOf(submission).one}`;

/** Moves submissions between inbox, Handled and quarantine. The lists show the move immediately. */
export function useMove() {
  const client = useQueryClient();
  const move = useAct<Move, Submission>(
    (send, { submission, to }) => {
      if (to === 'quarantine') return change(send, submission, 'quarantine');
      if (submission.status === 'quarantine') return change(send, submission, 'release');
      return change(send, submission, 'handle', { handled: to === 'handled' });
    },
    {
      expect: ({ submission, to }) => {
        const status = to === 'quarantine' ? 'quarantine' : 'inbox';
        show(client, { ...submission, status, handledAt: to === 'handled' ? new Date().toISOString() : null });
        return () => show(client, submission);
      },
      done: (record, { submission, to }) => {
        show(client, record);
        if (submission.status === 'quarantine') {
          const description = `${nameOf(record)} is in the inbox. The site will now send any unsent messages about it.`;
          return { title: 'Released to the inbox', description };
        }
        return {
          title: folders[to].arrived,
          description: nameOf(record),
          ...(to !== 'inbox' && undo(() => move.mutate({ submission: record, to: 'inbox' }))),
        };
      },
      failed: ({ submission }) => `Couldn’t move ${nameOf(submission)}`,
      refresh: lists,
    },
  );
  return move;
}

/**
 * Sends one of a submission's messages again. The request ends after the receiver has accepted or rejected the message.
 */
export function useResend(submission: Submission) {
  const client = useQueryClient();
  const nameOfMessage = (mail: MessageId) => (mail === 'webhook' ? 'chat message' : 'email');
  const failed = (mail: MessageId) => `Couldn’t send the ${nameOfMessage(mail)}`;
  return useAct<MessageId, Submission>((send, mail) => change(send, submission, 'resend', { mail }), {
    done: (record, mail) => {
      show(client, record);
      const { status, error } = record.delivery[mail];
      if (status === 'sent') return { title: mail === 'webhook' ? 'Chat message sent' : 'Email sent' };
      if (!error)
        return { title: 'Waiting to be sent', description: `The site will send the ${nameOfMessage(mail)} shortly.` };
      return { title: failed(mail), description: error, variant: 'destructive' };
    },
    failed,
    refresh: lists,
  });
}

/** Keeps an application after its deletion date, or allows its deletion again. */
export function useKeep() {
  const client = useQueryClient();
  return useAct<{ application: ApplicationRecord; kept: boolean }, ApplicationRecord>(
    (send, { application, kept }) =>
      send(apiPaths.applications.keep(application.id), { body: { kept }, schema: applicationRecord }),
    { done: (record) => void show(client, record), failed: 'Couldn’t save the change', refresh: lists },
  );
}

/** Saves the admins' note about a submission, unless the stored note is not `was`. */
export function useSaveNote(submission: Submission) {
  const client = useQueryClient();
  return useAct<{ note: string; was: string }, Submission>((send, body) => change(send, submission, 'note', body), {
    done: (record) => {
      show(client, record);
      return { title: 'Note saved', description: record.fullName };
    },
    refresh: all,
  });
}

/** Erases a person's data. The open submission is not fetched again, because it no longer exists. */
export function useErase(onErased: () => void) {
  const client = useQueryClient();
  return useAct((send, email: string) => send(apiPaths.erasePersonalData, { body: { email }, schema: personalData }), {
    done: ({ inquiries, applications }, email) => {
      onErased();
      kinds[kindIn(window.location.search)].list.close();
      void client.invalidateQueries({ queryKey: ones, refetchType: 'none' });
      // Notes that this browser keeps until they can be saved.
      const erased = [...inquiries, ...applications];
      dropDeviceCopies(({ kind, id }) => kind === 'note' && erased.includes(referenceOf(id)));
      return { title: 'Data erased', description: email };
    },
    // A status below 500 means that the server refused the request before erasing anything.
    failed: (_email, error) =>
      error instanceof ApiError && error.status < 500 ? 'Nothing was erased' : 'Couldn’t finish erasing the data',
    refresh: lists,
  });
}
