import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { listText } from '../../../domain/text/text.ts';
import { type PersonalData, personalData } from '../../../domain/submissions/personal-data.ts';
import { useRequest } from '../../lib/signed-in-request.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DownloadButton } from '../../ui/DownloadButton.tsx';
import { Loaded, Notice } from '../../ui/Notice.tsx';
import { useErase } from '../queries.ts';

/** The button that erases all data of the person with this email address. Shows the data before erasing it. */
export function ErasePerson({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <h3>Privacy</h3>
      <p>
        <Button look="destructive" icon="bin" onClick={() => setOpen(true)}>
          Erase this person’s data…
        </Button>
      </p>
      {open && <EraseDialog email={email} onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const erase = useErase(onClose);
  const send = useRequest();
  const body = { email };
  const found = useQuery({
    queryKey: [apiPaths.personalData, email],
    queryFn: ({ signal }) => send(apiPaths.personalData, { body, schema: personalData, signal }),
    gcTime: 0,
  });
  return (
    <Dialog title="Erase this person’s data?" onClose={onClose}>
      <Loaded what="this person’s data" query={found}>
        {(data) => (
          <>
            <p>The site has the following data about {email}:</p>
            <ul className="ps-4.5 list-[square]">
              {heldTexts(data).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            {data.held.length > 0 && (
              <Notice title="Kept after deletion date">
                <p>
                  An admin chose to keep {listText(data.held.map((reference) => `application ${reference}`))}. Read the
                  notes before you erase this person’s data, because the firm may need the data for a legal claim.
                </p>
              </Notice>
            )}
            <p>
              The site will permanently erase this data, including notes and unsent emails. It can’t erase emails that
              were already sent, or copies that you saved elsewhere.
            </p>
            <div className="actions *:max-md:grow">
              <DownloadButton href={apiPaths.personalDataCopy} body={body} failure="Couldn’t save a copy">
                Save a copy
              </DownloadButton>
              <Button act={erase} input={email} look="destructive" icon="bin" pendingLabel="Erasing…">
                Erase permanently
              </Button>
              <Button onClick={onClose}>Cancel</Button>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function heldTexts({ inquiries, applications, waiting, invitations }: PersonalData): string[] {
  return [
    [inquiries.length, 'inquiry', 'inquiries'] as const,
    [applications.length, 'application with its resume', 'applications with their resumes'] as const,
    [waiting, 'submission that is not in the inbox yet', 'submissions that are not in the inbox yet'] as const,
    [invitations, 'invitation to the admin area', 'invitations to the admin area'] as const,
  ].flatMap(([count, one, many]) => (count === 0 ? [] : `${count} ${count === 1 ? one : many}`));
}
