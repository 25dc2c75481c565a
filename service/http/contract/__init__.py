"""What `openapi.yaml` says beyond what flask-smorest finds in the views."""
