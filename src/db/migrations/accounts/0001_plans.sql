INSERT INTO plans (name, monthly_quota, max_active_keys, per_minute) VALUES
  ('free', 10000, 5, 600),
  ('institution', 1000000, 20, 6000),
  ('unlimited', NULL, NULL, NULL);
