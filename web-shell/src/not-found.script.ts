/** `Go Back` leads to the list above the address; where the browser has a step back, it is that step. */
export default function goBack(root: Element): void {
  for (const link of root.querySelectorAll('[data-go-back]')) {
    link.addEventListener('click', (event) => {
      if (history.length <= 1) return;
      event.preventDefault();
      history.back();
    });
  }
}
