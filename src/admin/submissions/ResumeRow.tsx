import { useMutation } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import type { ApplicationRecord } from '../../domain/application.ts';
import { sizeText } from '../../domain/file-size.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { errorText } from '../ui/error-text.ts';
import { useRequest } from '../ui/signed-in-request.ts';

/**
 * The resume's facts and its download. A browser cannot tell why a download was refused, so the session is looked at
 * first.
 */
export function ResumeRow({ application }: { application: ApplicationRecord }) {
  const send = useRequest();
  const { name, kind, size } = application.resume;
  const download = useMutation({
    mutationFn: () => send(apiPaths.authStatus),
    onSuccess: () => {
      const link = document.createElement('a');
      link.href = apiPaths.resume(application.id);
      link.download = '';
      link.click();
    },
    onError: (error) =>
      showToast({ title: 'Could not download the resume', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <div>
      <dt>Resume</dt>
      <dd className="resume-row">
        <span>
          {name} <span className="delivery-time">{`${kind.toUpperCase()}, ${sizeText(size)}`}</span>
        </span>
        <Button icon="download" onClick={() => download.mutate()} pending={download.isPending}>
          Download
        </Button>
      </dd>
    </div>
  );
}
