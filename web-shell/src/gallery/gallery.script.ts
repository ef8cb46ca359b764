import { showToast } from '@hospital/ui/toast';

/** Opens the dialog and shows toasts. Pages do this with React; the gallery hydrates nothing. */
export default function openGallery(root: Element): void {
  const dialog = root.querySelector('dialog');
  dialog?.querySelectorAll('button').forEach((button) => button.addEventListener('click', () => dialog.close()));
  root.querySelectorAll<HTMLElement>('[data-opens]').forEach((button) =>
    button.addEventListener('click', () => {
      const { opens } = button.dataset;
      if (opens === 'dialog') dialog?.showModal();
      else showToast({ title: 'Assessment saved!', tone: opens === 'error' ? 'error' : 'success' });
    }),
  );
}
