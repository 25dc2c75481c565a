"""The load: processes of their own that send what was chosen before, so that they are not what is measured."""
