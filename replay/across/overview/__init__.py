"""What many games say to who runs or organises them: figures, and a page that shows them."""
