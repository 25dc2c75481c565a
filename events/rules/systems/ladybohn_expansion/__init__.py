"""`ladybohn-expansion`: fans, the quota field, make-up beans, levies and promises."""
